/** The tab of the graph page. */
import * as vscode from "vscode";

export const GRAPH_PAGE = "assistantFlow.graph";

/** Whether the page has a tab. A busy VS Code may silently drop a panel before showing it. */
export function hasTab(): boolean {
  const { all } = vscode.window.tabGroups;
  // VS Code prefixes the view type.
  const isPage = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith(GRAPH_PAGE);
  return all.some(({ tabs }) => tabs.some(isPage));
}

/** The state that the page saved. */
export interface RestoredState {
  readonly uri?: string;
  readonly locked?: boolean;
  readonly other?: { readonly key?: unknown };
}
