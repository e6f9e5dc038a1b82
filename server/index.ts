/** The face of `server/` for the CLI, which can start it too. */
export { connectionOptions } from "./lifecycle";
export { serve } from "./server";
