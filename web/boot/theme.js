// Applies the reader's choice of theme and contrast before the first paint. The dashboard's part/theme.rs writes the same names.
try {
  const choice = localStorage.getItem("settlekit.theme");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
  if (localStorage.getItem("settlekit.contrast")) document.documentElement.dataset.contrast = "more";
} catch {
  // A browser that keeps nothing shows what the system says.
}
