/** Interactive runs, shared by the debugger and the conversation page. */
export { type AskedQuestion, askedAt, echoOf, isAnswer, offersAt, readAnswer, readTyped } from "./answers";
export { Breakpoint } from "./breakpoints";
export { conversationOf, endWords, type Turn } from "./conversation";
export { drive, driveBack, type How, type Stop, stopAt, type Trouble, type Watch } from "./drive";
export { type EdgeState, type Evaluated, edgeStates, evaluateIn, eventOf, shown } from "./evaluate";
export { type ElementPlace, elementOnLine, elementsOnLines, placeOf } from "./places";
export { entryOf, framesOf, repeatRun } from "./repeat";
export { type Moment, momentsOf, needsAnswer, Run, type RunSetup } from "./run";
export { type SavedTest, type SaveRequest, saveAsTest } from "./save";
export { scriptWith } from "./script";
export { runAlong, testAlong, wayAlong, wayInto } from "./ways";
