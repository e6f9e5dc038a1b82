/** A request to the test thread that its client cancelled. */
export class Cancelled extends Error {}
