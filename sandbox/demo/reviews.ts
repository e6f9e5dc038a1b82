/** Twelve identity reviews: merges and updates, most of them open. */
import type { ReviewRequest } from "../../platform";
import { Chance, uuidOf } from "../chance";
import { isoTime } from "../clock";
import { ORGANIZATION } from "../organization";
import { person } from "./people";

const HOUR = 3_600_000;

export function demoReviews(now: number): ReviewRequest[] {
  return Array.from({ length: 12 }, (_, index) => {
    const chance = new Chance(`demo/review/${index}`);
    const created = now - (index * 17 + 3) * HOUR;
    const resolved = index === 5 || index === 9;
    const common: ReviewRequest = {
      id: uuidOf(`demo/review/${index}`),
      org_id: ORGANIZATION.id,
      status: resolved ? (index === 5 ? "approved" : "rejected") : "pending",
      created_at: isoTime(created),
      updated_at: isoTime(resolved ? created + HOUR : created),
      ...(resolved
        ? {
            resolved_at: isoTime(created + HOUR),
            resolution_note: index === 5 ? "Same person, confirmed by phone." : "Two brothers who share a phone.",
          }
        : {}),
    };
    return index % 3 === 2 ? update(common, index, chance) : merge(common, index, chance);
  });
}

function merge(common: ReviewRequest, index: number, chance: Chance): ReviewRequest {
  const who = person(chance);
  const left = uuidOf(`demo/end-user/${index}/left`);
  const score = chance.whole(71, 96) / 100;
  return {
    ...common,
    request_type: "merge",
    reason: `Two profiles of ${who.firstName} ${who.lastName} share a phone number.`,
    left_end_user_id: left,
    right_end_user_id: uuidOf(`demo/end-user/${index}/right`),
    suggested_survivor_end_user_id: left,
    trigger_identifier_type: "phone",
    trigger_masked_value: masked(who.phone),
    evidence: {
      match_score: score,
      matching: ["phone", "last_name"],
      differing: ["email"],
      left: { name: `${who.firstName} ${who.lastName}`, email: maskedEmail(who.email), sessions: chance.whole(3, 20) },
      right: {
        name: `${who.firstName[0]}. ${who.lastName}`,
        email: "j•••@mail.example.com",
        sessions: chance.whole(1, 4),
      },
      last_seen_together: common.created_at,
    },
  };
}

function update(common: ReviewRequest, index: number, chance: Chance): ReviewRequest {
  const who = person(chance);
  return {
    ...common,
    request_type: "update",
    reason: `${who.firstName} ${who.lastName} gave a new e-mail address during a call.`,
    target_end_user_id: uuidOf(`demo/end-user/${index}/target`),
    proposed_identifier_type: "email",
    proposed_masked_value: maskedEmail(who.email),
    trigger_identifier_type: "phone",
    trigger_masked_value: masked(who.phone),
    evidence: {
      confidence: chance.whole(60, 90) / 100,
      quote: "Please use my new address from now on.",
      conversation_id: uuidOf(`demo/conversation/${index}`),
    },
  };
}

const masked = (phone: string) => `•••• ${phone.slice(-4)}`;
const maskedEmail = (email: string) => `${email[0]}•••${email.slice(email.indexOf("@"))}`;
