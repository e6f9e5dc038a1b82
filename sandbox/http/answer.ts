/** What a handler gives back, and how it refuses. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent for an empty body. */
  readonly json?: unknown;
  /** Sent as it is, instead of JSON. */
  readonly text?: { readonly type: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** One complaint of a 422, named and placed as the platform does it. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Thrown by handlers; becomes the answer. Nothing else that is thrown is ever shown to a caller. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(readonly answer: Answer) {
    super(`Refused with ${answer.status}`);
  }
}

/** An ErrorResponse of the platform document. */
export function refuse(
  status: number,
  error: string,
  message: string,
  more: { readonly retryable?: boolean; readonly retry_after?: number; readonly headers?: Answer["headers"] } = {},
): Refusal {
  const { headers, ...hints } = more;
  return new Refusal({ status, json: { error, message, ...hints }, ...(headers ? { headers } : {}) });
}

/** An HTTPValidationError of the platform document. */
export function invalid(detail: readonly ValidationDetail[]): Refusal {
  return new Refusal({ status: 422, json: { detail } });
}
