/**
 * A connection that whoever started VS Code hands over in its environment (`npm start` does). Only loopback addresses
 * are taken: an environment can be set by a file of the workspace (a dev container, for one), and such a file must not
 * be able to send a flow to another machine.
 */
import { addressProblem, connectionFromEnvironment } from "../../platform";
import type { ConnectionSecret } from "./store";

export function secretFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): ConnectionSecret | undefined {
  const connection = connectionFromEnvironment(environment);
  if (!connection) return undefined;
  const workflowBaseUrl = connection.workflowBaseUrl ?? connection.baseUrl;
  return isLoopback(connection.baseUrl) && isLoopback(workflowBaseUrl) ? { ...connection, workflowBaseUrl } : undefined;
}

/** The platform takes http for addresses of this computer alone. */
function isLoopback(address: string): boolean {
  return addressProblem(address.replace(/^https:/i, "http:")) === undefined;
}
