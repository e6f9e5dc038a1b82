/** A request to the thread of tests that its client gave up. */
export class Cancelled extends Error {}
