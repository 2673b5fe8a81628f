// The policy allows no inline script; the sheet's one button is bound here.
document.querySelector('[data-print]').addEventListener('click', () => window.print())
