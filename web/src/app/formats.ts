// A worker whose only work is to create the first formats of the process (main.ts).
new Intl.NumberFormat();
new Intl.DateTimeFormat();
close();
