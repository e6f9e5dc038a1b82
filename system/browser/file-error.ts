/** An error of a file, with a code as in Node. */
export class FileError extends Error {
  constructor(
    readonly code: string,
    readonly path: string,
  ) {
    super(`${code}: ${path}`);
  }
}
