// The product's mark.
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b6b72" />
      <path d="M16 6l9 10-9 10-9-10z" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinejoin="round" />
      <path d="M16 12.5l3.2 3.5-3.2 3.5-3.2-3.5z" fill="#fff" />
    </svg>
  )
}
