/** The entry point of `system/`: what differs between Node and a browser. Only these files import Node's modules. */
export * from "./arriving";
export type { FileEntry, FileInfo, FileSource } from "./file-source";
export * from "./files";
export * from "./hashing";
export * from "./loopback";
export * from "./processes";
export * from "./random";
export * from "./state-store";
export * from "./turns";
export * from "./workers";
