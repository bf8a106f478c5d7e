import type { Exchange, ResponseStream } from '../http/exchange.ts';

/** Data that is written to a closed connection is lost. */
const lost: ResponseStream = {
  write: () => true,
  drained: () => Promise.resolve(),
  pendingBytes: 0,
  closed: true,
  end: () => {},
};

/** Returns an exchange that disconnects the client instead of sending the response. */
export function droppedExchange(exchange: Exchange): Exchange {
  const respond = (): void => exchange.abort();
  const respondStream = (): ResponseStream => {
    exchange.abort();
    return lost;
  };
  return new Proxy(exchange, {
    get(target, key) {
      if (key === 'respond') return respond;
      if (key === 'respondStream') return respondStream;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
