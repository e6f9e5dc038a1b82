/** The face of `files/`: the only way in which the product reads and writes files of people, and its own private ones. */

export { checkAllowed, confinedTo, isAllowed, isBelow } from "./confined";
export { isUnsafeOnWindows } from "./device-path";
export { filesBelow, shownPath } from "./find";
export { NearestFile } from "./nearest";
export { appendPrivate, createPrivate, flushFolder, isPrivateFolder, privateFolder, readPrivate } from "./private";
export { MAX_TEXT_SIZE, readText } from "./read";
export { reasonOf, systemReason } from "./reason";
export { FileChanged, FileRefused } from "./refused";
export { FileScope } from "./source";
export { createWhole, replaceText, type Written, writeWhole } from "./write";
