/** Formats a call as Markdown, for tickets and notes. */
import type { Call } from "../../platform";
import { escapeComment } from "../../text";
import { t } from "../page/l10n";
import { clock, duration, shown, when, words } from "../page/words";

export function toMarkdown(call: Call): string {
  const name = [call.firstName, call.lastName].filter(Boolean).join(" ") || call.phone || call.id;
  const lines = [
    `# ${t("Call with {0}", plain(name))}`,
    "",
    `- ${t("Status")}: ${plain(words(call.status))}`,
    `- ${t("Phone")}: ${plain(shown(call.phone))}`,
    `- ${t("Started")}: ${plain(when(call.callStartedAt))}`,
    `- ${t("Duration")}: ${duration(call.callDuration)}`,
    `- ${t("End reason")}: ${plain(words(call.callEndedReason))}`,
    `- ${t("ID")}: ${plain(call.id)}`,
    "",
    `## ${t("Summary")}`,
    "",
    plain(call.summary || t("No summary.")),
    "",
    `## ${t("Transcript")}`,
    "",
    ...(call.transcript ?? []).map(
      (turn) => `- **${plain(words(turn.user))}** (${plain(clock(turn.created_at))}): ${plain(turn.text ?? "")}`,
    ),
  ];
  const variables = Object.entries(call.variables ?? {}).map(
    ([key, value]) => `- ${plain(key)}: ${plain(shown(value))}`,
  );
  const disclosures = (call.disclosures ?? []).map((text) => `- ${plain(String(text))}`);
  const sections = [
    ...(variables.length > 0 ? ["", `## ${t("Variables")}`, "", ...variables] : []),
    ...(disclosures.length > 0 ? ["", `## ${t("Disclosures")}`, "", ...disclosures] : []),
  ];
  return `${[...lines, ...sections].join("\n")}\n`;
}

/** Escapes text word by word, because `escapeComment` cuts a long one. In a ticket, a name could become a mention. */
function plain(text: string): string {
  return text.trim().split(/\s+/).map(escapeComment).join(" ");
}
