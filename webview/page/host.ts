/** Connects a page to the extension, and saves state that survives hiding the page. */

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export interface Host<To, From, State> {
  send(message: From): void;
  onMessage(listener: (message: To) => void): void;
  readonly state: Partial<State>;
  keep(state: Partial<State>): void;
}

export function connect<To, From, State extends object>(): Host<To, From, State> {
  const api = acquireVsCodeApi();
  let state = { ...(api.getState() as Partial<State> | undefined) };
  return {
    send: (message) => api.postMessage(message),
    onMessage: (listener) =>
      window.addEventListener("message", (event) => {
        // VS Code sends its messages from a frame of the page's own origin; any other site may send some, too.
        if (event.origin === window.origin) listener(event.data as To);
      }),
    get state() {
      return state;
    },
    keep: (change) => {
      state = { ...state, ...change };
      api.setState(state);
    },
  };
}
