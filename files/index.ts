/** The face of `files/`: the only way in which the product reads and writes files of people, and its own private ones. */

export { checkAllowed, confinedTo, isAllowed } from "./confined";
export { appendPrivate, createPrivate, flushFolder, isPrivateFolder, privateFolder, readPrivate } from "./private";
export { MAX_TEXT_SIZE, readText } from "./read";
export { FileChanged, FileRefused } from "./refused";
export { createWhole, replaceText, type Written, writeWhole } from "./write";
