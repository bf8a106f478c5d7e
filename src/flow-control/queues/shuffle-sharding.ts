/**
 * Chooses different queues by a hash, like a hand of cards dealt from a deck: each hand is equally likely. Two flows
 * rarely have the same hand, so a flow that fills its queues leaves at least one queue to most other flows.
 */
export function deal(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  const sorted: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const cardsLeft = BigInt(deckSize - dealt);
    let card = Number(rest % cardsLeft);
    rest /= cardsLeft;
    // Converts the index of a card among the remaining cards to its index in the whole deck.
    for (const taken of sorted) if (card >= taken) card++;
    hand.push(card);
    sorted.push(card);
    sorted.sort((a, b) => a - b);
  }
  return hand;
}
