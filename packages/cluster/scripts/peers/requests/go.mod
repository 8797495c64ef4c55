module requests

go 1.24
