export function Logo() {
  return (
    <svg aria-hidden viewBox="0 0 20 20" className="size-4.5" fill="none" stroke="currentColor" strokeWidth="1.9">
      <path d="M7.3 8.7 12 6.1M7.3 11.3l4.7 2.6" strokeLinecap="round" />
      <circle cx="4.8" cy="10" r="2.6" />
      <circle cx="14.6" cy="4.8" r="2.6" />
      <circle cx="14.6" cy="15.2" r="2.6" />
    </svg>
  );
}
