/** The face of `server/` for the CLI, which can start it too. */
export { serve } from "./server";
