/** `assistant-flow reviews list|reject` and `assistants restore`. */
import { PlatformError, type ReviewRequest } from "../../platform";
import { oneLine } from "../../text";
import { type Input, Stop } from "../command";
import { type FormatOptions, showRecord, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;

export async function listReviews({ options, terminal }: Input<Common>): Promise<number> {
  const client = await clientOf(terminal, options);
  const reviews = await client.listReviewRequests().catch((error: unknown) => {
    if (error instanceof PlatformError && [403, 404, 405].includes(error.status ?? 0))
      throw new Stop("This platform doesn't list review requests. To reject one by its ID, use `reviews reject`.");
    throw error;
  });
  const about = (review: ReviewRequest) =>
    review.request_type === "update"
      ? `${review.proposed_identifier_type ?? "?"} of ${review.target_end_user_id ?? "?"}`
      : `${review.left_end_user_id ?? "?"} and ${review.right_end_user_id ?? "?"}`;
  showRows(reviews, options, terminal, "No review requests.", {
    ID: (review) => review.id,
    KIND: (review) => review.request_type,
    STATUS: (review) => review.status,
    ABOUT: about,
    REASON: (review) => review.reason,
  });
  return 0;
}

export async function rejectReview({ args, options, terminal }: Input<Common & { note?: string }>): Promise<number> {
  const review = await (await clientOf(terminal, options)).rejectReviewRequest(args[0] as string, options.note);
  if (options.format === "json") showRecord(review, options, terminal);
  else terminal.out(oneLine`Rejected review request ${review.id}${review.status ? ` (${review.status})` : ""}.\n`);
  return 0;
}

export async function restoreAssistant({ args, options, terminal }: Input<Common>): Promise<number> {
  const assistant = await (await clientOf(terminal, options)).restoreAssistant(args[0] as string);
  if (options.format === "json") showRecord(assistant, options, terminal);
  else terminal.out(oneLine`Restored assistant ${assistant.name ?? args[0]}.\n`);
  return 0;
}
