/** Public interface of `server/` for the CLI, which can start it too. */
export { connectionOptions } from "./protocol/lifecycle";
export { serve } from "./server";
