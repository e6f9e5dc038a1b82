/** A call as Markdown, for tickets and notes. */
import type { Call } from "../../platform";
import { clock, duration, shown, when, words } from "../shared/words";

export function toMarkdown(call: Call): string {
  const name = [call.firstName, call.lastName].filter(Boolean).join(" ") || call.phone || call.id;
  const lines = [
    `# Call with ${escape(name)}`,
    "",
    `- Status: ${escape(words(call.status))}`,
    `- Phone: ${escape(shown(call.phone))}`,
    `- Started: ${when(call.callStartedAt)}`,
    `- Duration: ${duration(call.callDuration)}`,
    `- Ended: ${escape(words(call.callEndedReason))}`,
    `- Id: ${escape(call.id)}`,
    "",
    "## Summary",
    "",
    escape(call.summary || "There is no summary."),
    "",
    "## Transcript",
    "",
    ...(call.transcript ?? []).map(
      (turn) => `- **${escape(words(turn.user))}** (${clock(turn.created_at)}): ${escape(turn.text ?? "")}`,
    ),
  ];
  const variables = Object.entries(call.variables ?? {});
  if (variables.length > 0)
    lines.push("", "## Variables", "", ...variables.map(([key, value]) => `- ${escape(key)}: ${escape(shown(value))}`));
  const disclosures = call.disclosures ?? [];
  if (disclosures.length > 0)
    lines.push("", "## Disclosures", "", ...disclosures.map((text) => `- ${escape(String(text))}`));
  return `${lines.join("\n")}\n`;
}

/** What people said must not become markup where the text is pasted. */
function escape(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_{}[\]<>#|!]/g, "\\$&");
}
