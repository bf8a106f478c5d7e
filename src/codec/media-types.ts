/**
 * Conversion between bytes and values (JSON, YAML, protobuf, CBOR) and content negotiation. Codecs neither apply
 * defaults nor validate objects.
 */

/** The encodings of objects. */
export type EncodingName = 'json' | 'yaml' | 'protobuf' | 'cbor';

export interface MediaType {
  readonly encoding: EncodingName;
  /**
   * The first name appears in error messages. The others are the equivalents in the service specification. A response
   * uses the name that the client requested.
   */
  readonly names: readonly [string, ...string[]];
  /** Undefined when the encoding has no stream format. */
  readonly stream?: {
    /** The name of the stream type in error messages. */
    readonly errorName: string;
    /** Names that refer to the stream type only. */
    readonly names?: readonly string[];
    /** Returns the content type of a stream that was requested by this name of the object type. */
    readonly contentType: (name: string) => string;
  };
}

const watchParameter = ';stream=watch';

/** In order of preference. The first is the default for clients that accept anything. */
export const mediaTypes: readonly MediaType[] = [
  {
    encoding: 'json',
    names: ['application/json'],
    stream: { errorName: `application/json${watchParameter}`, contentType: (name) => name },
  },
  { encoding: 'yaml', names: ['application/yaml'] },
  {
    encoding: 'protobuf',
    names: ['application/vnd.kubernetes.protobuf', 'application/vnd.svc.protobuf'],
    stream: {
      errorName: `application/vnd.kubernetes.protobuf${watchParameter}`,
      contentType: (name) => `${name}${watchParameter}`,
    },
  },
  {
    encoding: 'cbor',
    names: ['application/cbor'],
    stream: {
      errorName: 'application/cbor-seq',
      names: ['application/cbor-seq'],
      contentType: () => 'application/cbor-seq',
    },
  },
];

/** The API groups of conversion targets such as Table: the Kubernetes group and that of the service specification. */
export const metaGroups: readonly string[] = ['meta.k8s.io', 'meta.svc.io'];
