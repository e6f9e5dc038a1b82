/** Responses of handlers, and errors. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; missing for an empty body. */
  readonly json?: unknown;
  /** Sent unchanged, instead of JSON. */
  readonly text?: { readonly type: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** One error of a 422 response, in the platform's format. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Thrown by handlers to send an error response. No other error is shown to a caller. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(readonly answer: Answer) {
    super(`Refused with ${answer.status}`);
  }
}

/** Creates an ErrorResponse of the contract. */
export function refuse(
  status: number,
  error: string,
  message: string,
  more: { readonly retryable?: boolean; readonly retry_after?: number; readonly headers?: Answer["headers"] } = {},
): Refusal {
  const { headers, ...hints } = more;
  return new Refusal({ status, json: { error, message, ...hints }, ...(headers ? { headers } : {}) });
}

/** Creates an HTTPValidationError of the contract. */
export function invalid(detail: readonly ValidationDetail[]): Refusal {
  return new Refusal({ status: 422, json: { detail } });
}
