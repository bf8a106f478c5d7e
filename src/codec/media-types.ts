/**
 * The room between bytes and values: JSON, YAML, protobuf, CBOR, and which of them a client sends and wants. Codecs neither
 * fill in defaults nor check rules.
 */

/** How the bytes of an object can be written and read. */
export type EncodingName = 'json' | 'yaml' | 'protobuf' | 'cbor';

export interface MediaType {
  readonly encoding: EncodingName;
  /**
   * The first is the one that is told; the others are the same thing under the names of the service specification. An
   * answer has the name that was asked for.
   */
  readonly names: readonly [string, ...string[]];
  /** Undefined where there is no stream of objects. */
  readonly stream?: {
    /** What clients that ask for something else are told. */
    readonly told: string;
    /** Names of the stream alone. */
    readonly names?: readonly string[];
    /** The type of an answer that was asked for by this name of an object's type. */
    readonly answer: (name: string) => string;
  };
}

const watchParameter = ';stream=watch';

/** In the order in which they are offered: the first is what a client gets that does not mind. */
export const mediaTypes: readonly MediaType[] = [
  {
    encoding: 'json',
    names: ['application/json'],
    stream: { told: `application/json${watchParameter}`, answer: (name) => name },
  },
  { encoding: 'yaml', names: ['application/yaml'] },
  {
    encoding: 'protobuf',
    names: ['application/vnd.kubernetes.protobuf', 'application/vnd.svc.protobuf'],
    stream: {
      told: `application/vnd.kubernetes.protobuf${watchParameter}`,
      answer: (name) => `${name}${watchParameter}`,
    },
  },
  {
    encoding: 'cbor',
    names: ['application/cbor'],
    stream: { told: 'application/cbor-seq', names: ['application/cbor-seq'], answer: () => 'application/cbor-seq' },
  },
];

/** The groups that the kinds have into which objects are converted: that of Kubernetes and that of the specification. */
export const metaGroups: readonly string[] = ['meta.k8s.io', 'meta.svc.io'];
