import type { Json, JsonObject } from '../invariants/json.ts';

/** The response of one server to one step. */
export interface Answer {
  /** 0 for a step that was not taken. */
  readonly status: number;
  readonly warnings: readonly string[];
  /** The parsed body, or its text when it is not JSON. */
  readonly body: Json;
}

export type Answers = readonly Answer[];

/** A value, or how it follows from the earlier answers of the same server. */
export type FromAnswers<T> = T | ((answers: Answers) => T);

/** One request of a case. */
export interface Step {
  readonly method: string;
  /** With the query. A step is not taken when the function of its path or its body returns undefined. */
  readonly path: FromAnswers<string | undefined>;
  readonly body?: FromAnswers<Json | undefined>;
  /** The content type of the body. JSON by default. */
  readonly type?: string;
  readonly accept?: string;
  /** The user agent, from which the server takes the name of the manager. */
  readonly manager?: string;
  /** The collection in which the step may create an object. It is deleted at the end of the case. */
  readonly creates?: string;
  /** Repeats the request until this is true of its answer, which is then not compared. */
  readonly until?: (answer: Answer) => boolean;
}

/** Requests that depend on no other case. */
export interface Case {
  /** What the case is about, such as a kind. */
  readonly kind: string;
  /** Created before the steps and deleted after them. */
  readonly namespace?: string;
  readonly steps: readonly Step[];
}

/** The object in an answer. Undefined when there is none. */
export function objectIn(answers: Answers, index: number): JsonObject | undefined {
  const { status, body } = answers[index]!;
  return status >= 200 && status < 300 ? (body as JsonObject) : undefined;
}
