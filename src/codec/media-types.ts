/**
 * The room between bytes and values: JSON, protobuf, and which of them a client sends and wants. Codecs neither fill in
 * defaults nor check rules.
 */

/** How the bytes of an object can be read. */
export type BodyEncoding = 'json' | 'protobuf';

/**
 * The names of each encoding on the wire. The first is the one that is told; the others are the same thing under the
 * names of the service specification.
 */
const mediaTypes: Readonly<Record<BodyEncoding, readonly [string, ...string[]]>> = {
  json: ['application/json'],
  protobuf: ['application/vnd.kubernetes.protobuf', 'application/vnd.svc.protobuf'],
};

const encodings: ReadonlyMap<string, BodyEncoding> = new Map(
  (Object.keys(mediaTypes) as BodyEncoding[]).flatMap((encoding) =>
    mediaTypes[encoding].map((mediaType) => [mediaType, encoding] as const),
  ),
);

/** Undefined for a media type in which objects cannot be sent. It is to be in lower case and without parameters. */
export function bodyEncoding(mediaType: string): BodyEncoding | undefined {
  return encodings.get(mediaType);
}

/** For the answer to a body of another type. */
export const acceptedBodyTypes: readonly string[] = Object.values(mediaTypes).map(([told]) => told);
