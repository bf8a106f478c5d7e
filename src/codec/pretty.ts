/** The values that Go's strconv.ParseBool, and so every Kubernetes client, takes for true. */
const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const untruths = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
const humanAgents = ['curl', 'Wget', 'Mozilla/5.0'];

/** Whether `?pretty=` may have this value. */
export function isPrettyValue(text: string): boolean {
  return text === '' || truths.has(text) || untruths.has(text);
}

/** What a request says about indentation. */
export interface PrettyRequest {
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  readonly userAgent: string | undefined;
  /** The `pretty=1` of the media type that was chosen. */
  readonly accepted: boolean;
}

/** Whether JSON is indented: the query decides, else the Accept header, else whether a human seems to read. */
export function wantsPretty({ query, userAgent, accepted }: PrettyRequest): boolean {
  // Nearly no request has the parameter: the search spares them the parsing.
  const asked = query.includes('pretty') ? new URLSearchParams(query).get('pretty') : null;
  // A bare `?pretty` is a flag.
  if (asked !== null) return asked === '' || truths.has(asked);
  return accepted || (userAgent !== undefined && humanAgents.some((agent) => userAgent.startsWith(agent)));
}

/** Two spaces and no final newline, where compact JSON ends with one. */
export function jsonText(value: unknown, { pretty }: { pretty: boolean }): string {
  return pretty ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
}
