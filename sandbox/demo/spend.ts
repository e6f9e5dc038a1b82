/** A month of embedding spend of 40 knowledge bases, a few of which cost most of it. */
import { Chance, uuidOf } from "../chance";
import { isoTime } from "../clock";
import type { SpendDay, SpendRecord } from "../storage/records";

const DAY = 86_400_000;
const USD_PER_TOKEN = 0.13 / 1_000_000;

export function demoSpend(now: number): SpendRecord[] {
  return Array.from({ length: 40 }, (_, index) => {
    const chance = new Chance(`demo/spend/${index}`);
    const weight = 1 / (index + 1);
    const days: SpendDay[] = [];
    for (let age = 29; age >= 0; age--) {
      const date = isoTime(now - age * DAY).slice(0, 10);
      const weekend = [0, 6].includes(new Date(now - age * DAY).getUTCDay());
      const queries = Math.ceil(weight * chance.whole(40_000, 64_000) * (weekend ? 0.4 : 1));
      days.push(day(date, "query", "text", queries, chance.whole(18, 40), chance));
      // Documents are re-embedded now and then, in large batches.
      if (chance.next() < 0.2)
        days.push(day(date, "ingest", "text", Math.ceil(weight * 14_000), chance.whole(700, 1400), chance));
      if (index % 7 === 0 && chance.next() < 0.15)
        days.push(day(date, "ingest", "image", Math.ceil(weight * 900), chance.whole(1500, 2500), chance));
    }
    return { kb_id: uuidOf(`demo/kb/${index + 1}`), days };
  });
}

function day(
  date: string,
  source: string,
  embedding_type: string,
  invocations: number,
  tokensEach: number,
  chance: Chance,
): SpendDay {
  const input_tokens = invocations * tokensEach;
  return {
    date,
    source,
    embedding_type,
    input_tokens,
    invocations,
    cost_usd: input_tokens * USD_PER_TOKEN,
    failed: chance.next() < 0.15 ? chance.whole(0, Math.ceil(invocations / 50)) : 0,
  };
}
