/** Identities: API keys (2.1), review requests (2.9), whoami (assumed). */
import * as z from "zod/mini";
import {
  anyObject,
  checkedDatetime,
  datetime,
  flag,
  type Infer,
  list,
  named,
  open,
  optional,
  resource,
  text,
  texts,
} from "./schema";

export const apiKey = named("ApiKey", () =>
  resource(
    { id: text() },
    {
      name: text(),
      key_prefix: text(),
      scopes: texts(),
      is_active: flag(),
      last_used_at: z.nullable(datetime()),
      expires_at: z.nullable(datetime()),
      created_at: datetime(),
    },
  ),
);
export type ApiKey = Infer<typeof apiKey>;

/** The only response that contains the whole key. */
export const createdApiKey = named("CreatedApiKey", () => z.extend(apiKey(), { plain_text_key: text() }));
export type CreatedApiKey = Infer<typeof createdApiKey>;

export const apiKeyList = named("ApiKeyList", () => resource({ data: list(apiKey()) }, {}));

export const createApiKeyRequest = named("CreateApiKeyRequest", () =>
  resource({ name: text() }, { scopes: texts(), expires_at: checkedDatetime() }),
);
export type CreateApiKeyRequest = Infer<typeof createApiKeyRequest>;

export const reviewRequest = named("IdentityReviewRequest", () =>
  resource(
    { id: text() },
    {
      org_id: text(),
      request_type: open("merge", "update"),
      status: text(),
      reason: text(),
      created_at: text(),
      updated_at: text(),
      left_end_user_id: text(),
      right_end_user_id: text(),
      suggested_survivor_end_user_id: text(),
      target_end_user_id: text(),
      proposed_identifier_type: text(),
      proposed_masked_value: text(),
      trigger_identifier_type: text(),
      trigger_masked_value: text(),
      resolved_at: text(),
      resolution_note: text(),
      evidence: anyObject(),
    },
  ),
);
export type ReviewRequest = Infer<typeof reviewRequest>;

/** Assumed: the list of reviews isn't documented; its shape is that of the list of keys. */
export const reviewRequestList = named("IdentityReviewRequestList", () =>
  resource({ data: list(reviewRequest()) }, {}),
);

export const rejectReviewRequest = named("RejectReviewRequest", () => optional({ resolution_note: text() }));

/** Assumed from part 5: a key identifies the caller, the organization and the scopes. No code depends on it. */
export const whoami = named("Whoami", () =>
  optional({
    id: text(),
    name: text(),
    email: text(),
    role: text(),
    organization_id: text(),
    organization_name: text(),
    key_prefix: text(),
    scopes: texts(),
  }),
);
export type Whoami = Infer<typeof whoami>;
