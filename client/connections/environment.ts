/**
 * Reads a connection from the environment of VS Code (`npm start` sets one). Only loopback addresses are accepted: a
 * file in the workspace, such as a dev container's, can set the environment, and must not send flows to another
 * machine.
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

/** The platform allows http only for loopback addresses. */
function isLoopback(address: string): boolean {
  return addressProblem(address.replace(/^https:/i, "http:")) === undefined;
}
