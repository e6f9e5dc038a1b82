/** A call as Markdown, for tickets and notes. */
import type { Call } from "../../platform";
import { clock, duration, shown, when, words } from "../page/words";

export function toMarkdown(call: Call): string {
  const name = [call.firstName, call.lastName].filter(Boolean).join(" ") || call.phone || call.id;
  const lines = [
    `# Call with ${plain(name)}`,
    "",
    `- Status: ${plain(words(call.status))}`,
    `- Phone: ${plain(shown(call.phone))}`,
    `- Started: ${when(call.callStartedAt)}`,
    `- Duration: ${duration(call.callDuration)}`,
    `- Ended: ${plain(words(call.callEndedReason))}`,
    `- ID: ${plain(call.id)}`,
    "",
    "## Summary",
    "",
    plain(call.summary || "No summary."),
    "",
    "## Transcript",
    "",
    ...(call.transcript ?? []).map(
      (turn) => `- **${plain(words(turn.user))}** (${clock(turn.created_at)}): ${plain(turn.text ?? "")}`,
    ),
  ];
  const variables = Object.entries(call.variables ?? {});
  if (variables.length > 0)
    lines.push("", "## Variables", "", ...variables.map(([key, value]) => `- ${plain(key)}: ${plain(shown(value))}`));
  const disclosures = call.disclosures ?? [];
  if (disclosures.length > 0)
    lines.push("", "## Disclosures", "", ...disclosures.map((text) => `- ${plain(String(text))}`));
  return `${lines.join("\n")}\n`;
}

/** What people said must not become markup where the text is pasted. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_{}[\]<>#|!]/g, "\\$&");
}
