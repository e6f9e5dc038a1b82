/** The webhook catalog. One type and one sensitivity are documented; the others are similar. */
import type { WebhookEventType } from "../../platform";

export const demoEvents: readonly (WebhookEventType & { readonly type: string })[] = [
  event("conversation.session.started", "A conversation has started.", "non_pii"),
  event("conversation.session.completed", "A conversation has ended.", "non_pii"),
  event("conversation.session.abandoned", "The caller left before the end.", "non_pii"),
  event("conversation.message.created", "A message was sent.", "pii"),
  event("conversation.transfer.requested", "A conversation needs a human agent.", "non_pii"),
  event("call.started", "A call was answered.", "non_pii"),
  event("call.ended", "A call has ended; carries the reason and the duration.", "non_pii"),
  event("call.recording.ready", "The recording of a call is available.", "pii"),
  event("call.transcript.ready", "The transcript of a call is complete.", "pii"),
  event("workflow.execution.started", "A calling workflow has started for a lead.", "non_pii"),
  event("workflow.execution.completed", "A calling workflow has finished for a lead.", "non_pii"),
  event("identity.review.created", "A merge or update of identities needs a decision.", "non_pii"),
  event("identity.review.resolved", "An identity review was decided.", "non_pii"),
  event("identity.user.merged", "Two profiles became one.", "pii"),
  event("assistant.revision.published", "A revision of an assistant went live.", "non_pii"),
  event("assistant.archived", "An assistant was archived.", "non_pii"),
  event("knowledge_base.document.indexed", "A document is available to assistants.", "non_pii"),
  event("knowledge_base.document.failed", "A document could not be read.", "non_pii"),
  event("policy.violation.detected", "An answer was blocked by a policy.", "pii"),
];

function event(type: string, description: string, sensitivity: string): WebhookEventType & { readonly type: string } {
  return { type, description, group: type.slice(0, type.indexOf(".")), sensitivity };
}
