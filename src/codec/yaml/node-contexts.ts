import { tokens } from './yaml-token.ts';

const noContent = tokens.directive | tokens.documentStart | tokens.documentEnd | tokens.streamEnd;
const noBlockNode = tokens.key | tokens.value | tokens.blockEnd;
const noItem = tokens.blockEntry | tokens.blockEnd;
const noIndentlessItem = noBlockNode | tokens.blockEntry;
const noFlowPairMember = tokens.value | tokens.flowEntry | tokens.flowSequenceEnd;
const noFlowMappingMember = tokens.value | tokens.flowEntry | tokens.flowMappingEnd;

const inFlow = tokens.flowSequence | tokens.flowMapping;
const inBlock = inFlow | tokens.blockSequence | tokens.blockMapping;
const inBlockMapping = inBlock | tokens.blockEntry;

/** A context in which a node is expected. Both fields are sets of token kinds. */
export interface NodeContext {
  /** If one of these tokens comes next, the node is empty, which is a valid node. */
  readonly empty: number;
  /** The tokens that may begin a list or a map. */
  readonly containers: number;
}

export const nodeContexts = {
  document: { empty: noContent, containers: inBlock },
  blockSequenceItem: { empty: noItem, containers: inBlock },
  indentlessSequenceItem: { empty: noIndentlessItem, containers: inBlock },
  blockMappingMember: { empty: noBlockNode, containers: inBlockMapping },
  flowSequenceItem: { empty: 0, containers: inFlow },
  flowPairMember: { empty: noFlowPairMember, containers: inFlow },
  flowMappingMember: { empty: noFlowMappingMember, containers: inFlow },
} satisfies Record<string, NodeContext>;
