/** The entry point of `system/`: what differs between Node and a browser. Only these files import Node's modules. */
export * from "./files";
export * from "./hashing";
export * from "./loopback";
export * from "./processes";
export * from "./random";
export * from "./workers";
