/** A span, as a `traceparent` header (W3C Trace Context) names it. */
export interface TraceParent {
  /** 16 bytes. */
  readonly traceId: Buffer;
  /** 8 bytes. */
  readonly spanId: Buffer;
  readonly isSampled: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for a header that is absent or not valid. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  if (header === undefined) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = pattern.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {
    traceId: Buffer.from(traceId, 'hex'),
    spanId: Buffer.from(spanId, 'hex'),
    isSampled: (Number.parseInt(flags, 16) & 1) === 1,
  };
}

/** Returns the header for requests that a span causes. */
export function formatTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId.toString('hex')}-${spanId.toString('hex')}-${isSampled ? '01' : '00'}`;
}
