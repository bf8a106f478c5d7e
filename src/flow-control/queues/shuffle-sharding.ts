/**
 * Deals a hand of different cards from a deck by a hash: each hand is equally likely. Two flows rarely have the same
 * hand, so a flow that fills its queues leaves most others at least one.
 */
export function deal(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  const sorted: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const cardsLeft = BigInt(deckSize - dealt);
    let card = Number(rest % cardsLeft);
    rest /= cardsLeft;
    // The number of a card among those that are left becomes its number in the whole deck.
    for (const taken of sorted) if (card >= taken) card++;
    hand.push(card);
    sorted.push(card);
    sorted.sort((a, b) => a - b);
  }
  return hand;
}
