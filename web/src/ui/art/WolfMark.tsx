/** The wolf's head, as the mark of its community. */
export function WolfMark({ className = "size-10" }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" className={className}>
      <path fill="#c3cde0" d="M6 3l11 9h14l11-9-2 19-5 12-11 11-11-11-5-12z" />
      <path fill="#93a1bd" d="M6 3l11 9-8 8zM42 3L31 12l8 8z" />
      <path fill="#f2f5fb" d="M24 20l6 12-6 13-6-13z" />
      <path fill="#ffb84d" d="M12 22l8 3-2 3.5-5-2.5zM36 22l-8 3 2 3.5 5-2.5z" />
      <path fill="#10151f" d="M20.5 36h7L24 41z" />
    </svg>
  );
}
