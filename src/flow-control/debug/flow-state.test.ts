import { expect, it } from 'vitest';
import { flowStateOfAll, type RequestState } from './flow-state.ts';

const request = (name: string, arrivedAt: number) => ({ name, arrivedAt }) as RequestState;

it('the requests of all threads are in the order of their arrival', () => {
  const { requests } = flowStateOfAll([
    { levels: [], requests: [request('b', 2), request('d', 4)] },
    { levels: [], requests: [request('a', 1), request('c', 3)] },
  ]);
  expect(requests.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
});
