import { endOfString, huffmanCodes } from './huffman-code.ts';

/**
 * The decoder is a state machine that reads four bits at a time. A state is an inner node of the code's tree. At most
 * one symbol ends within four bits, because no code is shorter than five.
 */
const nibbles = 16;
/** An entry: the next state in the low bits, whether a symbol ends, and the symbol. */
const stateMask = 0xff;
const emits = 0x100;
const fails = 0x200;
const symbolShift = 16;

interface DecodingTable {
  readonly transitions: Int32Array;
  /** Whether a string may end in a state: after at most seven bits, all of them ones. */
  readonly isEnd: Uint8Array;
}

let table: DecodingTable | undefined;

/** Built on first use: clients on the same machine often do not compress. */
function decodingTable(): DecodingTable {
  table ??= buildTable();
  return table;
}

interface Node {
  readonly state: number;
  readonly children: (Node | number | undefined)[];
  readonly depth: number;
  readonly onlyOnes: boolean;
}

function buildTable(): DecodingTable {
  const nodes: Node[] = [];
  const makeNode = (position: Pick<Node, 'depth' | 'onlyOnes'>): Node => {
    const node = { state: nodes.length, children: [undefined, undefined], ...position };
    nodes.push(node);
    return node;
  };
  const root = makeNode({ depth: 0, onlyOnes: true });
  for (const { symbol, bits, length } of huffmanCodes) {
    let node = root;
    for (let at = length - 1; at > 0; at--) {
      const bit = (bits >>> at) & 1;
      node.children[bit] ??= makeNode({ depth: node.depth + 1, onlyOnes: node.onlyOnes && bit === 1 });
      node = node.children[bit] as Node;
    }
    node.children[bits & 1] = symbol;
  }
  const transitions = new Int32Array(nodes.length * nibbles);
  const isEnd = new Uint8Array(nodes.length);
  for (const node of nodes) {
    isEnd[node.state] = node.onlyOnes && node.depth <= 7 ? 1 : 0;
    for (let nibble = 0; nibble < nibbles; nibble++)
      transitions[node.state * nibbles + nibble] = walk(root, node, nibble);
  }
  return { transitions, isEnd };
}

function walk(root: Node, from: Node, nibble: number): number {
  let node = from;
  let entry = 0;
  for (let at = 3; at >= 0; at--) {
    const next = node.children[(nibble >>> at) & 1]!;
    if (typeof next !== 'number') {
      node = next;
      continue;
    }
    if (next === endOfString) return fails;
    entry = emits | (next << symbolShift);
    node = root;
  }
  return entry | node.state;
}

let scratch: Buffer = Buffer.allocUnsafeSlow(4096);

/** The text of `source` between two positions, one character per byte. Undefined when it is not well encoded. */
export function decodeHuffman(source: Buffer, start: number, end: number): string | undefined {
  const { transitions, isEnd } = decodingTable();
  // The maximum length of the text, because no code is shorter than five bits.
  const longest = ((end - start) * 8) / 5;
  if (scratch.length < longest) scratch = Buffer.allocUnsafeSlow(Math.ceil(longest));
  const target = scratch;
  let written = 0;
  let state = 0;
  for (let at = start; at < end; at++) {
    const byte = source[at]!;
    let entry = transitions[state * nibbles + (byte >>> 4)]!;
    if (entry & (emits | fails)) {
      if (entry & fails) return undefined;
      target[written++] = entry >>> symbolShift;
    }
    entry = transitions[(entry & stateMask) * nibbles + (byte & 15)]!;
    if (entry & (emits | fails)) {
      if (entry & fails) return undefined;
      target[written++] = entry >>> symbolShift;
    }
    state = entry & stateMask;
  }
  return isEnd[state] === 1 ? target.toString('latin1', 0, written) : undefined;
}

/** Returns the length of the encoded text in bytes. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits += huffmanCodes[text.charCodeAt(at)]!.length;
  return (bits + 7) >>> 3;
}

/** Writes the encoded text, whose characters are bytes. Returns the position after it. */
export function encodeHuffman(text: string, target: Buffer, start: number): number {
  let at = start;
  let waiting = 0;
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const { bits, length } = huffmanCodes[text.charCodeAt(index)]!;
    // Up to seven bits are pending, and a code has up to thirty bits.
    for (let left = length; left > 0; ) {
      const taken = Math.min(left, 8 - count);
      left -= taken;
      waiting = (waiting << taken) | ((bits >>> left) & ((1 << taken) - 1));
      count += taken;
      if (count === 8) {
        target[at++] = waiting;
        waiting = 0;
        count = 0;
      }
    }
  }
  if (count > 0) target[at++] = (waiting << (8 - count)) | ((1 << (8 - count)) - 1);
  return at;
}
