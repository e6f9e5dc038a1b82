/**
 * Paths in a browser. A file may be in any file system that the editor has, so a path starts with the scheme and
 * authority of its URI: `/vscode-vfs:github/owner/flows/a.flow.yaml`. A `file:` URI has its own path.
 */

const sep = "/";

function normalize(place: string): string {
  const parts: string[] = [];
  for (const part of place.split(sep)) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !isAbsolute(place)) parts.push(part);
  }
  const joined = parts.join(sep);
  return isAbsolute(place) ? `/${joined}` : joined || ".";
}

function isAbsolute(place: string): boolean {
  return place.startsWith(sep);
}

export function join(...parts: string[]): string {
  return normalize(parts.filter((part) => part !== "").join(sep));
}

export function dirname(place: string): string {
  const at = place.lastIndexOf(sep);
  return at < 0 ? "." : place.slice(0, at) || sep;
}

function basename(place: string, ending = ""): string {
  const name = place.slice(place.lastIndexOf(sep) + 1);
  return ending !== "" && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

function resolve(...parts: string[]): string {
  const start = parts.findLastIndex(isAbsolute);
  return normalize(start < 0 ? [sep, ...parts].join(sep) : parts.slice(start).join(sep));
}

function relative(from: string, to: string): string {
  const [a, b] = [from, to].map((place) => resolve(place).split(sep).filter(Boolean)) as [string[], string[]];
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return [...a.slice(shared).map(() => ".."), ...b.slice(shared)].join(sep);
}

export const path = { sep, normalize, isAbsolute, join, dirname, basename, resolve, relative };

/** Documents that aren't files: unsaved ones, and read-only versions of files. */
const NOT_FILES = /^(?:untitled|git|review|assistant-flow[\w-]*|output|walkThrough|comment):/;

export function isFileUri(uri: string): boolean {
  return /^[a-z][\w+.-]*:/i.test(uri) && !NOT_FILES.test(uri);
}

/** Requests about files aren't limited to a scheme. */
export const fileScheme: string | undefined = undefined;

const URI = /^([a-z][\w+.-]*):(?:\/\/([^/?#]*))?([^?#]*)/i;

export function fileURLToPath(uri: string): string {
  const [, scheme = "", authority = "", inside = ""] = URI.exec(uri) ?? [];
  const place = normalize(`/${decodeURIComponent(inside)}`);
  return scheme === "file" && authority === "" ? place : `/${scheme}:${authority}${place === sep ? "" : place}`;
}

export function pathToFileURL(place: string): { readonly href: string } {
  const [, system, inside] = /^\/([a-z][\w+.-]*:[^/]*)(.*)$/i.exec(place) ?? [undefined, "file:", place];
  const [scheme, authority] = (system as string).split(/:(.*)/s, 2);
  const encoded = (inside as string)
    .split(sep)
    .map((part) => encodeURIComponent(part).replaceAll("%40", "@"))
    .join(sep);
  return { href: `${scheme}://${authority}${encoded || sep}` };
}

/** How editors name a file: by its path, or by its URI if it has another scheme than `file`. */
export function nameInEditor(file: string): string {
  return /^\/[a-z][\w+.-]*:/i.test(file) ? pathToFileURL(file).href : file;
}
