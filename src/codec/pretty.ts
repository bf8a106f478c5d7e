/** The values that Go's strconv.ParseBool, and so every Kubernetes client, accepts as true. */
const trueValues = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseValues = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
const interactiveAgents = ['curl', 'Wget', 'Mozilla/5.0'];

/** Returns whether this is a valid value of `?pretty=`. */
export function isPrettyValue(text: string): boolean {
  return text === '' || trueValues.has(text) || falseValues.has(text);
}

/** The parts of a request that decide about indentation. */
export interface PrettyRequest {
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  readonly userAgent: string | undefined;
  /** Whether the selected media type has the parameter `pretty=1`. */
  readonly accepted: boolean;
}

/**
 * Returns whether to indent JSON: by the query, else by the Accept header, else by whether the user agent is
 * interactive.
 */
export function isPrettyRequested({ query, userAgent, accepted }: PrettyRequest): boolean {
  // Few requests have the parameter. This check avoids parsing the query of the others.
  const parameter = query.includes('pretty') ? new URLSearchParams(query).get('pretty') : null;
  // `?pretty` without a value means true.
  if (parameter !== null) return parameter === '' || trueValues.has(parameter);
  return accepted || (userAgent !== undefined && interactiveAgents.some((agent) => userAgent.startsWith(agent)));
}

/** Indented JSON uses two spaces and has no final newline; compact JSON ends with a newline. */
export function jsonText(value: unknown, { pretty }: { pretty: boolean }): string {
  return pretty ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
}
