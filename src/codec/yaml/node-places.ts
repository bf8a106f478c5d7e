import { tokens } from './yaml-token.ts';

const noContent = tokens.directive | tokens.documentStart | tokens.documentEnd | tokens.streamEnd;
const noBlockNode = tokens.key | tokens.value | tokens.blockEnd;
const noItem = tokens.blockEntry | tokens.blockEnd;
const noPlainItem = noBlockNode | tokens.blockEntry;
const noPairPart = tokens.value | tokens.flowEntry | tokens.flowSequenceEnd;
const noFlowPart = tokens.value | tokens.flowEntry | tokens.flowMappingEnd;

const inFlow = tokens.flowSequence | tokens.flowMapping;
const inBlock = inFlow | tokens.blockSequence | tokens.blockMapping;
const inBlockMapping = inBlock | tokens.blockEntry;

/** A context in which a node is expected. Both fields are sets of token kinds. */
export interface NodePlace {
  /** If one of these tokens comes next, the node is empty, which is a valid node. */
  readonly empty: number;
  /** The tokens that may begin a list or a map. */
  readonly containers: number;
}

export const nodePlaces = {
  document: { empty: noContent, containers: inBlock },
  blockItem: { empty: noItem, containers: inBlock },
  plainItem: { empty: noPlainItem, containers: inBlock },
  blockPart: { empty: noBlockNode, containers: inBlockMapping },
  flowItem: { empty: 0, containers: inFlow },
  pairPart: { empty: noPairPart, containers: inFlow },
  flowPart: { empty: noFlowPart, containers: inFlow },
} satisfies Record<string, NodePlace>;
