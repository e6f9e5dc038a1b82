/** The entry point of `files/`. All access to user files and to the product's private files goes through it. */

export { checkAllowed, confinedTo, isAllowed, isBelow } from "./confined";
export { isUnsafeOnWindows } from "./device-path";
export { FileScope } from "./file-scope";
export { filesBelow, shownPath } from "./find";
export { readLines } from "./lines";
export { looksAbove, NearestFile } from "./nearest";
export { createPrivate, flushFolder, isPrivateFolder, privateFolder, readPrivate } from "./private";
export { MAX_TEXT_SIZE, readText } from "./read";
export { FileChanged, FileRefused } from "./refused";
export { openState } from "./state";
export { reasonOf, systemReason } from "./system-reason";
export { createWhole, replaceText, type WriteOptions, writeWhole } from "./write";
