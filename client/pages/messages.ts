/** What the pages and their hosts in VS Code say to each other, typed once. Pages import these types and nothing else. */
import type { GraphElement, GraphView } from "../../server/messages";

/** Host to graph page. */
export type ToGraphPage =
  | {
      readonly type: "graph";
      readonly uri: string;
      readonly title: string;
      readonly locked: boolean;
      readonly view: GraphView;
    }
  /** The cursor of the editor stands on this element. */
  | { readonly type: "select"; readonly element: GraphElement | undefined }
  | { readonly type: "hover"; readonly id: string; readonly text: string }
  /** Nothing to show: why, in a sentence. */
  | { readonly type: "empty"; readonly reason: string };

/** Graph page to host. */
export type FromGraphPage =
  | { readonly type: "ready" }
  | { readonly type: "selected"; readonly element: GraphElement }
  | { readonly type: "open"; readonly element: GraphElement }
  | { readonly type: "hover"; readonly id: string }
  | { readonly type: "edit"; readonly edit: GraphEditKind }
  | { readonly type: "lock"; readonly locked: boolean }
  | { readonly type: "export"; readonly format: "svg" | "png" | "mermaid"; readonly data?: string };

/** What a person can do to the flow in the picture. Names that must be typed are asked for by the host. */
export type GraphEditKind =
  | { readonly kind: "rename"; readonly id: string }
  | { readonly kind: "add-after"; readonly id: string }
  | { readonly kind: "connect"; readonly from: string; readonly to: string }
  | { readonly kind: "delete"; readonly element: GraphElement }
  | { readonly kind: "set-entry"; readonly id: string };
