const paths = {
  search: 'M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM11 11l3.5 3.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  up: 'M3.5 10 8 5.5 12.5 10',
  plus: 'M8 2.5v11M2.5 8h11',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.5v4.5M9.3 6.5v4.5',
  columns: 'M2 2.5h12v11H2ZM6 2.5v11M10 2.5v11',
  filter: 'M2 3h12l-4.5 5.5V13l-3-1.5v-3Z',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14a5.5 5.5 0 0 1 11 0',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.5V8l2.5 1.5',
  shield: 'M8 1.5 13.5 3.5v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4Z',
  pulse: 'M1 8h3l2-5 3.5 10L11.5 8H15',
  home: 'M2 7.5 8 2.5l6 5V14h-4v-4H6v4H2Z',
  puzzle: 'M2.5 5.5H6a1.7 1.7 0 1 1 3.4 0h3.1v3.2a1.7 1.7 0 1 1 0 3.3v2H2.5Z',
  gate: 'M2 14V4l6-2.5L14 4v10M2 7h12M5 14v-4M8 14v-4M11 14v-4',
  warning: 'M8 2 14.5 13.5h-13ZM8 6.5v3M8 11.3v.4',
  check: 'M2.5 8.5 6 12l7.5-8',
  sort: 'M8 3v10M4.5 9.5 8 13l3.5-3.5',
  copy: 'M5.5 5.5h8v8h-8ZM2.5 10.5v-8h8',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7',
} as const;

export type IconName = keyof typeof paths;

/** A decorative image: the text beside it has the same meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
