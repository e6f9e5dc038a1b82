/**
 * The last check before anything is sent to an environment: a batch with an ID of another environment is rejected here,
 * wherever in the flow it is written.
 */
import { UUIDS } from "../../flow";
import type { FlowEnvironment } from "../../flow/project";
import { t } from "../../text";
import type { Remote } from "../environment";

export function environmentRemote(
  remote: Remote,
  { name, foreign }: Pick<FlowEnvironment, "name" | "foreign">,
): Remote {
  return {
    ...remote,
    async send(ops, ...rest) {
      const [id] =
        JSON.stringify(ops)
          .match(UUIDS)
          ?.filter((each) => foreign.has(each.toLowerCase())) ?? [];
      if (id === undefined) return remote.send(ops, ...rest);
      const other = foreign.get(id.toLowerCase())?.environment ?? "";
      const message = t('The ID {0} belongs to environment "{1}" and isn\'t sent to "{2}".', id, other, name);
      return { kind: "refused", message, aboutVersion: false, detail: [] };
    },
  };
}
