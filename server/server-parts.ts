import type { CompanionRequests } from "./companions/companion-requests";
import type { CompanionService } from "./companions/companion-service";
import type { ServerContext } from "./context";
import type { Diagnostics } from "./diagnostics/diagnostics";
import type { LazySync } from "./sync/lazy";

/** What a request handler may use. */
export interface Server extends ServerContext {
  readonly diagnostics: Diagnostics;
  readonly sync: LazySync;
  /** Test and policy files. */
  readonly companions: CompanionService;
  readonly companionRequests: CompanionRequests;
}
