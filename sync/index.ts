/** The face of `sync/`: how a saved flow becomes the platform's truth. Other folders import only from here. */
export * from "./engine";
export type { InFlight, Known, OverwriteRisk } from "./journal";
export * from "./state";
export * from "./world";
